# Finds clusters in points that are always the same, by scikit-learn's loops in OpenMP.
import numpy
from sklearn.cluster import KMeans

POINTS, DIMENSIONS, CLUSTERS = 20000, 16, 4

where = numpy.random.default_rng(1).random((POINTS, DIMENSIONS))
where += numpy.arange(POINTS)[:, numpy.newaxis] % CLUSTERS
found = KMeans(n_clusters=CLUSTERS, n_init=1, max_iter=20, random_state=1).fit(where)
print(f"{found.inertia_:.6g} {sorted(numpy.bincount(found.labels_))}")
