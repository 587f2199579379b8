//===-- blast.cpp - a mesh of dozens of vectors behind accessors -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A blast in the corner of a cube of zones, whose corners are listed, as on an unstructured mesh.
// All data are members of one class, resized and filled in its constructor by one thread, and read
// through functions that return references; others come and go in each step.
//
//     g++ -O2 -g -fopenmp blast.cpp -o blast
//
//===----------------------------------------------------------------------===//
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

using Real = double;
using Index = int;

constexpr Index Corners = 8;

class Mesh {
public:
  explicit Mesh(Index size)
      : edge(size), numZones(size * size * size), numPoints((size + 1) * (size + 1) * (size + 1)) {
    resizePoints();
    resizeZones();
    connect();
    start();
  }

  Real &x(Index p) { return m_x[p]; }
  Real &y(Index p) { return m_y[p]; }
  Real &z(Index p) { return m_z[p]; }
  Real &xVelocity(Index p) { return m_xVelocity[p]; }
  Real &yVelocity(Index p) { return m_yVelocity[p]; }
  Real &zVelocity(Index p) { return m_zVelocity[p]; }
  Real &xForce(Index p) { return m_xForce[p]; }
  Real &yForce(Index p) { return m_yForce[p]; }
  Real &zForce(Index p) { return m_zForce[p]; }
  Real &pointMass(Index p) { return m_pointMass[p]; }
  Real &energy(Index zone) { return m_energy[zone]; }
  Real &pressure(Index zone) { return m_pressure[zone]; }
  Real &viscosity(Index zone) { return m_viscosity[zone]; }
  Real &volume(Index zone) { return m_volume[zone]; }
  Real &sound(Index zone) { return m_sound[zone]; }
  Real &growth(Index zone) { return m_growth[zone]; }
  Real &length(Index zone) { return m_length[zone]; }
  const Index *corners(Index zone) const { return &m_corners[Corners * zone]; }
  const Index *cornersAt(Index p) const { return &m_cornersAt[m_firstAt[p]]; }
  Index countAt(Index p) const { return m_firstAt[p + 1] - m_firstAt[p]; }
  Index zones() const { return numZones; }
  Index points() const { return numPoints; }
  Index pointAt(Index i, Index j, Index k) const { return (k * (edge + 1) + j) * (edge + 1) + i; }
  Index size() const { return edge; }

  void addGradients() {
    m_growth.resize(numZones);
    m_length.resize(numZones);
  }
  void dropGradients() {
    std::vector<Real>().swap(m_growth);
    std::vector<Real>().swap(m_length);
  }

private:
  void resizePoints() {
    m_x.resize(numPoints);
    m_y.resize(numPoints);
    m_z.resize(numPoints);
    m_xVelocity.resize(numPoints);
    m_yVelocity.resize(numPoints);
    m_zVelocity.resize(numPoints);
    m_xForce.resize(numPoints);
    m_yForce.resize(numPoints);
    m_zForce.resize(numPoints);
    m_pointMass.resize(numPoints);
  }

  void resizeZones() {
    m_corners.resize(Corners * numZones);
    m_energy.resize(numZones);
    m_pressure.resize(numZones);
    m_viscosity.resize(numZones);
    m_volume.resize(numZones);
    m_sound.resize(numZones);
  }

  // The corners of each zone, and by point the corners that lie there.
  void connect() {
    Index corner = 0;
    for (Index k = 0; k < edge; k++)
      for (Index j = 0; j < edge; j++)
        for (Index i = 0; i < edge; i++)
          for (Index c = 0; c < Corners; c++)
            m_corners[corner++] = pointAt(i + (c & 1), j + (c >> 1 & 1), k + (c >> 2));
    m_firstAt.resize(numPoints + 1);
    for (const Index p : m_corners)
      m_firstAt[p + 1]++;
    for (Index p = 0; p < numPoints; p++)
      m_firstAt[p + 1] += m_firstAt[p];
    std::vector<Index> next(m_firstAt.begin(), m_firstAt.end() - 1);
    m_cornersAt.resize(m_corners.size());
    for (Index c = 0; c < Corners * numZones; c++)
      m_cornersAt[next[m_corners[c]]++] = c;
  }

  void start() {
    for (Index p = 0; p < numPoints; p++) {
      x(p) = p % (edge + 1);
      y(p) = p / (edge + 1) % (edge + 1);
      z(p) = p / (edge + 1) / (edge + 1);
      pointMass(p) = Real(countAt(p)) / Corners;
    }
    for (Index zone = 0; zone < numZones; zone++) {
      energy(zone) = zone == 0 ? 10 : 0.1;
      volume(zone) = 1;
    }
  }

  Index edge, numZones, numPoints;
  std::vector<Real> m_x, m_y, m_z, m_xVelocity, m_yVelocity, m_zVelocity;
  std::vector<Real> m_xForce, m_yForce, m_zForce, m_pointMass;
  std::vector<Real> m_energy, m_pressure, m_viscosity, m_volume, m_sound, m_growth, m_length;
  std::vector<Index> m_corners, m_firstAt, m_cornersAt;
};

static void findStress(Mesh &mesh, Real *stress, Index numZones) {
#pragma omp parallel for firstprivate(numZones)
  for (Index zone = 0; zone < numZones; zone++)
    stress[zone] = mesh.pressure(zone) + mesh.viscosity(zone);
}

// Corners are pushed away from the middle of their zones.
static void findForces(Mesh &mesh, const Real *stress, Index numZones, Index numPoints) {
  const std::size_t bytes = sizeof(Real) * Corners * numZones;
  Real *fx = static_cast<Real *>(std::malloc(bytes));
  Real *fy = static_cast<Real *>(std::malloc(bytes));
  Real *fz = static_cast<Real *>(std::malloc(bytes));
#pragma omp parallel for firstprivate(numZones)
  for (Index zone = 0; zone < numZones; zone++) {
    const Index *p = mesh.corners(zone);
    Real x = 0, y = 0, z = 0;
    for (Index c = 0; c < Corners; c++) {
      x += mesh.x(p[c]) / Corners;
      y += mesh.y(p[c]) / Corners;
      z += mesh.z(p[c]) / Corners;
    }
    for (Index c = 0; c < Corners; c++) {
      fx[Corners * zone + c] = stress[zone] * (mesh.x(p[c]) - x);
      fy[Corners * zone + c] = stress[zone] * (mesh.y(p[c]) - y);
      fz[Corners * zone + c] = stress[zone] * (mesh.z(p[c]) - z);
    }
  }
#pragma omp parallel for firstprivate(numPoints)
  for (Index p = 0; p < numPoints; p++) {
    Real x = 0, y = 0, z = 0;
    for (Index i = 0; i < mesh.countAt(p); i++) {
      const Index c = mesh.cornersAt(p)[i];
      x += fx[c];
      y += fy[c];
      z += fz[c];
    }
    mesh.xForce(p) = x;
    mesh.yForce(p) = y;
    mesh.zForce(p) = z;
  }
  std::free(fz);
  std::free(fy);
  std::free(fx);
}

static void movePoints(Mesh &mesh, Real time, Index numPoints) {
#pragma omp parallel firstprivate(numPoints)
  {
#pragma omp for nowait
    for (Index p = 0; p < numPoints; p++) {
      mesh.xVelocity(p) += time * mesh.xForce(p) / mesh.pointMass(p);
      mesh.yVelocity(p) += time * mesh.yForce(p) / mesh.pointMass(p);
      mesh.zVelocity(p) += time * mesh.zForce(p) / mesh.pointMass(p);
    }
#pragma omp for nowait
    for (Index p = 0; p < numPoints; p++) {
      mesh.x(p) += time * mesh.xVelocity(p);
      mesh.y(p) += time * mesh.yVelocity(p);
      mesh.z(p) += time * mesh.zVelocity(p);
    }
  }
}

static void updateZones(Mesh &mesh, Index numZones) {
  mesh.addGradients();
#pragma omp parallel for firstprivate(numZones)
  for (Index zone = 0; zone < numZones; zone++) {
    const Index first = mesh.corners(zone)[0], last = mesh.corners(zone)[Corners - 1];
    const Real volume = (mesh.x(last) - mesh.x(first)) * (mesh.y(last) - mesh.y(first)) *
                        (mesh.z(last) - mesh.z(first));
    mesh.growth(zone) = volume - mesh.volume(zone);
    mesh.volume(zone) = volume;
    mesh.length(zone) = std::cbrt(volume);
  }
#pragma omp parallel for firstprivate(numZones)
  for (Index zone = 0; zone < numZones; zone++) {
    const Real density = 1 / mesh.volume(zone);
    mesh.energy(zone) -= (mesh.pressure(zone) + mesh.viscosity(zone)) * mesh.growth(zone);
    mesh.pressure(zone) = 0.4 * density * mesh.energy(zone);
    mesh.sound(zone) = std::sqrt(1.4 * mesh.pressure(zone) / density);
    const Real shrinking = std::max(0.0, -mesh.growth(zone));
    mesh.viscosity(zone) = density * mesh.sound(zone) * mesh.length(zone) * shrinking;
  }
  mesh.dropGradients();
}

static Real timeStep(Mesh &mesh, Index numZones) {
  Real least = 1e-2;
#pragma omp parallel for firstprivate(numZones) reduction(min : least)
  for (Index zone = 0; zone < numZones; zone++)
    least = std::min(least, 0.1 * std::cbrt(mesh.volume(zone)) / (mesh.sound(zone) + 1e-9));
  return least;
}

// A blast in a corner is the same in all directions.
static bool isSymmetric(Mesh &mesh) {
  for (Index k = 0; k <= mesh.size(); k++)
    for (Index i = 0; i <= mesh.size(); i++) {
      const Real there = mesh.xVelocity(mesh.pointAt(i, 0, k));
      if (std::fabs(there - mesh.zVelocity(mesh.pointAt(k, 0, i))) > 1e-9)
        return false;
    }
  return mesh.xVelocity(mesh.pointAt(1, 0, 0)) > 0;
}

int main(int argc, char **argv) {
  const Index size = argc > 1 ? std::atoi(argv[1]) : 1; // how many times as large
  Mesh mesh(static_cast<Index>(std::lround(16 * std::cbrt(size))));
  for (Index step = 0; step < 6; step++) {
    Real *stress = new Real[mesh.zones()];
    updateZones(mesh, mesh.zones());
    findStress(mesh, stress, mesh.zones());
    findForces(mesh, stress, mesh.zones(), mesh.points());
    movePoints(mesh, timeStep(mesh, mesh.zones()), mesh.points());
    delete[] stress;
  }
  const bool right = isSymmetric(mesh);
  std::printf("blast: energy %.6f, %s\n", mesh.energy(0), right ? "verified" : "WRONG");
  return right ? 0 : 1;
}
