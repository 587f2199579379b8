// Draws the figures of the report's page, and tells what is in them by pointer and by keys. Reads the page's own data
// only; names are put into the page as text, never as HTML. What figures consist of: trace/tool/PageFigures.h.
"use strict";
(() => {
  const LABELS_MOST = 210, FONT = "12px system-ui, 'DejaVu Sans', sans-serif";
  const CELLS_MOST = 128, PART_OF_MATRIX = 48;

  //--- Data ----------------------------------------------------------------------------------------

  async function inflate(id) {
    const packed = Uint8Array.from(atob(document.getElementById(id).textContent), (c) => c.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  }

  /** A square matrix from numbers of 7 bits a byte; of symmetric ones only a half is there. */
  function unpack(bytes, size, isSymmetric) {
    const cells = new Float64Array(size * size);
    let at = 0;
    for (let row = 0; row < size; ++row)
      for (let column = isSymmetric ? row : 0; column < size; ++column) {
        let value = 0, scale = 1;
        for (; bytes[at] & 0x80; ++at, scale *= 128) value += (bytes[at] & 0x7f) * scale;
        value += bytes[at++] * scale;
        cells[row * size + column] = value;
        if (isSymmetric) cells[column * size + row] = value;
      }
    return cells;
  }

  //--- Text ----------------------------------------------------------------------------------------

  function count(number) {
    const units = ["", " k", " M", " G", " T"];
    let unit = 0;
    for (; number >= 1000 && unit + 1 < units.length; ++unit) number /= 1000;
    return (unit && number < 100 ? number.toFixed(1) : number.toFixed(0)) + units[unit];
  }
  const percent = (part) => (100 * part).toFixed(1) + " %";

  //--- Colours -------------------------------------------------------------------------------------

  let colours = {};

  function readColours() {
    const style = getComputedStyle(document.documentElement);
    const parts = (name) => {
      const hex = style.getPropertyValue(name).trim();
      return [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
    };
    const plain = (name) => style.getPropertyValue(name).trim();
    const ramp = (name) => ({ low: parts(`--${name}-low`), high: parts(`--${name}-high`) });
    colours = { amount: ramp("amount"), local: ramp("local"), remote: ramp("remote"), unknown: plain("--unknown"),
      hatch: plain("--hatch"), ink: plain("--ink"), quiet: plain("--quiet"), line: plain("--line"),
      paper: plain("--paper") };
  }

  /** The square root shows small values, too. */
  function shade({ low, high }, part) {
    const x = part > 0 ? 0.08 + 0.92 * Math.sqrt(part) : 0;
    return `rgb(${low.map((from, i) => Math.round(from + (high[i] - from) * x)).join()})`;
  }

  //--- Canvases ------------------------------------------------------------------------------------

  /** Sets a canvas to a height, in CSS's pixels, and clears it. */
  function prepare(canvas, height) {
    const width = Math.max(1, Math.round(canvas.clientWidth)), ratio = window.devicePixelRatio || 1;
    canvas.style.height = `${height}px`;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const pen = canvas.getContext("2d");
    pen.scale(ratio, ratio);
    pen.font = FONT;
    pen.textBaseline = "middle";
    return { pen, width };
  }

  function hatch(pen, x, y, width, height) {
    if (width < 2 || height < 3) return;
    pen.save();
    pen.beginPath();
    pen.rect(x, y, width, height);
    pen.clip();
    pen.strokeStyle = colours.hatch;
    pen.globalAlpha = 0.75;
    pen.lineWidth = 1;
    pen.beginPath();
    /* The lines of neighbours meet. */
    for (let i = Math.floor((x + y) / 5) * 5; i < x + y + width + height; i += 5) {
      pen.moveTo(i - y, y);
      pen.lineTo(i - y - height, y + height);
    }
    pen.stroke();
    pen.restore();
  }

  function label(pen, text, x, y, most, align) {
    let shown = text;
    for (; shown.length > 2 && pen.measureText(shown + "…").width > most; ) shown = shown.slice(0, -1);
    pen.fillStyle = colours.quiet;
    pen.textAlign = align;
    pen.fillText(pen.measureText(text).width <= most ? text : shown + "…", x, y);
  }

  //--- Figures -------------------------------------------------------------------------------------
  // Each has a size in rows and columns, draw() and describe(row, column), and knows where its cells are.

  class Grid {
    constructor(rows, columns) {
      this.rows = rows;
      this.columns = columns;
      this.left = this.top = 0;
    }
    /** As much room for the names of rows as they need. */
    makeRoom(canvas) {
      const pen = canvas.getContext("2d");
      pen.font = FONT;
      const longest = Math.max(...this.rows.map((name) => pen.measureText(name).width));
      this.left = Math.ceil(Math.min(longest + (longest && 12), LABELS_MOST, canvas.clientWidth / 3));
    }
    place(row, column) {
      const width = (this.width - this.left) / this.columns.length;
      return { x: this.left + column * width, y: this.top + row * this.step, width, height: this.step - this.gap };
    }
    find(x, y) {
      const column = Math.floor((x - this.left) / ((this.width - this.left) / this.columns.length));
      const row = Math.floor((y - this.top) / this.step);
      const isIn = row >= 0 && row < this.rows.length && column >= 0 && column < this.columns.length;
      return isIn ? { row, column } : null;
    }
    names(pen, bottom) {
      const every = Math.ceil(15 / this.step);
      for (let row = 0; row < this.rows.length; row += every)
        label(pen, this.rows[row], this.left - 8, this.top + row * this.step + (this.step - this.gap) / 2, this.left - 10,
          "right");
      if (!bottom) return;
      const half = (this.width - this.left) / 2 - 8;
      label(pen, this.columns[0], this.left, bottom, half, "left");
      if (this.columns.length > 1) label(pen, this.columns[this.columns.length - 1], this.width, bottom, half, "right");
    }
    mark(pen, { row, column }) {
      const cell = this.place(row, column);
      pen.lineWidth = 2;
      pen.strokeStyle = colours.paper;
      pen.strokeRect(cell.x - 2, cell.y - 2, cell.width + 4, cell.height + 4);
      pen.strokeStyle = colours.ink;
      pen.strokeRect(cell.x - 0.5, cell.y - 0.5, cell.width + 1, cell.height + 1);
    }
  }

  /** Who accesses what from where: local accesses stand at the bottom of a cell, remote ones hatched above. */
  class Traffic extends Grid {
    constructor(data) {
      super(data.rows, data.columns);
      this.data = data;
      this.gap = data.homes ? 6 : 2;
      this.step = Math.max(12, Math.min(24, 150 / data.rows.length)) + (data.homes ? 4 : 0);
      this.most = 0;
      for (let i = 0; i < data.local.length; ++i) this.most = Math.max(this.most, this.sum(i));
    }
    sum(i) { return this.data.local[i] + this.data.remote[i] + this.data.unknown[i]; }
    draw(canvas) {
      this.makeRoom(canvas);
      const bottom = this.rows.length * this.step;
      const { pen, width } = prepare(canvas, bottom + 20);
      this.width = width;
      for (let row = 0, i = 0; row < this.rows.length; ++row)
        for (let column = 0; column < this.columns.length; ++column, ++i) this.cell(pen, row, column, i);
      this.names(pen, bottom + 9);
      return pen;
    }
    cell(pen, row, column, i) {
      const { x, y, width, height } = this.place(row, column);
      const all = this.sum(i), wide = Math.max(width - (width > 5 ? 1 : 0), 0.5);
      pen.fillStyle = shade(colours.amount, 0);
      pen.fillRect(x, y, wide, height);
      if (all) {
        const local = height * this.data.local[i] / all, remote = height * this.data.remote[i] / all;
        pen.fillStyle = colours.unknown;
        pen.fillRect(x, y, wide, height);
        pen.fillStyle = shade(colours.local, all / this.most);
        pen.fillRect(x, y + height - local, wide, local);
        pen.fillStyle = shade(colours.remote, all / this.most);
        pen.fillRect(x, y, wide, remote);
        hatch(pen, x, y, wide, remote);
      }
      const home = this.data.homes ? this.data.homes[i] : 0;
      if (home <= 0) return;
      pen.globalAlpha = 0.25 + 0.75 * home;
      pen.fillStyle = colours.ink;
      pen.fillRect(x, y + height + 1, wide, 3);
      pen.globalAlpha = 1;
    }
    describe({ row, column }) {
      const i = row * this.columns.length + column, all = this.sum(i);
      const who = [this.rows[row], this.columns[column]].filter(Boolean).join(", ");
      const home = this.data.homes && this.data.homes[i] > 0 ? `; ${percent(this.data.homes[i])} of these pages are here` : "";
      if (!all) return `${who}: no accesses${home}`;
      return `${who}: ${count(all)} accesses, ${percent(this.data.remote[i] / all)} remote${home}`;
    }
  }

  class Bars extends Traffic {
    constructor(data) {
      super(data);
      this.step = 110;
      this.gap = 4;
    }
    cell(pen, row, column, i) {
      const { x, y, width, height } = this.place(row, column);
      const wide = Math.max(width - (width > 4 ? Math.min(6, width / 4) : 0), 0.5);
      let base = y + height;
      const part = (number, colour) => {
        const high = this.most ? height * number / this.most : 0;
        base -= high;
        pen.fillStyle = colour;
        pen.fillRect(x, base, wide, high);
        return high;
      };
      part(this.data.local[i], shade(colours.local, 1));
      const remote = part(this.data.remote[i], shade(colours.remote, 1));
      hatch(pen, x, base, wide, remote);
      part(this.data.unknown[i], colours.unknown);
      pen.fillStyle = colours.line;
      pen.fillRect(x, y + height, wide, 1);
    }
  }

  /** Numbers from 0 to 1, or nothing. */
  class Amounts extends Grid {
    constructor(data) {
      super(data.rows, data.rows);
      this.data = data;
      this.gap = 2;
      this.step = Math.max(6, Math.min(26, 400 / data.rows.length));
    }
    place(row, column) {
      return { x: this.left + column * this.step, y: row * this.step, width: this.step - this.gap, height: this.step - this.gap };
    }
    find(x, y) {
      const row = Math.floor(y / this.step), column = Math.floor((x - this.left) / this.step);
      const size = this.rows.length;
      return row >= 0 && row < size && column >= 0 && column < size ? { row, column } : null;
    }
    draw(canvas) {
      this.makeRoom(canvas);
      const { pen, width } = prepare(canvas, this.rows.length * this.step + 2);
      this.width = width;
      this.data.values.forEach((value, i) => {
        const cell = this.place(Math.floor(i / this.rows.length), i % this.rows.length);
        pen.fillStyle = value === null ? colours.line : shade(colours.amount, value * value);
        const inset = value === null ? this.step / 2 - 3 : 0;
        pen.fillRect(cell.x + inset, cell.y + inset, cell.width - 2 * inset, cell.height - 2 * inset);
      });
      this.names(pen, 0);
      return pen;
    }
    describe({ row, column }) {
      const value = this.data.values[row * this.rows.length + column];
      const pair = `${this.rows[row]} and ${this.rows[column]}`;
      return value === null ? `${pair}: no memory together` : `${pair}: ${percent(value)} alike`;
    }
  }

  /** The matrix, or a window of it, in bins where there are more threads than cells. */
  class Matrix extends Grid {
    constructor(cells, names, unit, { order, borders, nodes } = {}) {
      super(names, names);
      this.cells = cells;
      this.threads = names;
      this.unit = unit;
      this.order = order || names.map((_, i) => i);
      this.borders = borders || [];
      this.nodes = nodes;
      this.gap = 0;
      this.show(0, 0, names.length);
    }
    /** A square of so many threads. */
    show(row, column, size) {
      const count = this.threads.length;
      this.size = Math.min(size, count);
      this.first = { row: Math.min(row, count - this.size), column: Math.min(column, count - this.size) };
      this.bin = Math.ceil(this.size / CELLS_MOST);
      const bins = Math.ceil(this.size / this.bin);
      this.rows = Array.from({ length: bins }, (_, i) => this.name(this.first.row + i * this.bin));
      this.columns = Array.from({ length: bins }, (_, i) => this.name(this.first.column + i * this.bin));
      this.values = this.rows.map((_, r) => this.columns.map((__, c) => this.sum(r, c)));
      this.most = 0;
      for (const row_ of this.values) for (const value of row_) this.most = Math.max(this.most, value);
    }
    isWhole() { return this.size === this.threads.length; }
    name(first) {
      const last = Math.min(first + this.bin, this.threads.length) - 1;
      const number = (i) => this.threads[this.order[i]].replace(/^threads? /, "");
      return last > first ? `${number(first)} to ${number(last)}` : number(first);
    }
    sum(row, column) {
      const { cells, bin, order } = this, count = order.length;
      let sum = 0;
      for (let i = this.first.row + row * bin, n = 0; n < bin && i < count; ++i, ++n)
        for (let j = this.first.column + column * bin, m = 0; m < bin && j < count; ++j, ++m)
          if (i !== j) sum += cells[order[i] * count + order[j]];
      return sum;
    }
    isAlone(row, column) { return this.bin === 1 && this.first.row + row === this.first.column + column; }
    draw(canvas) {
      this.left = this.nodes || canvas.clientWidth > 400 ? 62 : 40;
      this.top = this.nodes ? 2 : 20;
      const bins = this.rows.length, side = Math.min(canvas.clientWidth - this.left, this.nodes ? 280 : 560);
      this.step = side / bins;
      const { pen, width } = prepare(canvas, side + this.top + 1);
      this.width = width;
      this.side = side;
      const space = this.step > 5 ? 1 : 0;
      this.values.forEach((values, row) => values.forEach((value, column) => {
        const { x, y, width: wide, height } = this.place(row, column);
        pen.fillStyle = this.isAlone(row, column) ? colours.paper : shade(colours.amount, this.most ? value / this.most : 0);
        pen.fillRect(x, y, wide - space, height - space);
        if (this.isAlone(row, column) && this.step > 7) this.dot(pen, x + (wide - space) / 2, y + (height - space) / 2);
      }));
      this.edge(pen);
      return pen;
    }
    dot(pen, x, y) {
      pen.fillStyle = colours.line;
      pen.fillRect(x - 1.5, y - 1.5, 3, 3);
    }
    edge(pen) {
      if (this.nodes) this.edgeByNodes(pen);
      else this.edgeByThreads(pen);
    }
    edgeByThreads(pen) {
      const every = Math.max(1, Math.ceil(26 / this.step)), everyRow = Math.max(1, Math.ceil(16 / this.step));
      this.columns.forEach((name, i) => {
        if (i % every === 0) label(pen, name.split(" ")[0], this.left + i * this.step + this.step / 2, 9, 40, "center");
      });
      this.rows.forEach((name, i) => {
        if (i % everyRow === 0) label(pen, name.split(" ")[0], this.left - 8, this.top + (i + 0.5) * this.step, this.left - 10, "right");
      });
    }
    edgeByNodes(pen) {
      const ends = [0, ...this.borders, this.threads.length].map((at) => at / this.bin * this.step);
      this.nodes.forEach((name, i) => {
        const middle = (ends[i] + ends[i + 1]) / 2;
        label(pen, name, this.left - 8, this.top + middle, this.left - 10, "right");
      });
      pen.strokeStyle = colours.ink;
      pen.lineWidth = 1.5;
      for (const at of ends.slice(1, -1)) {
        pen.beginPath();
        pen.moveTo(this.left, this.top + at);
        pen.lineTo(this.left + this.side, this.top + at);
        pen.moveTo(this.left + at, this.top);
        pen.lineTo(this.left + at, this.top + this.side);
        pen.stroke();
      }
    }
    place(row, column) {
      return { x: this.left + column * this.step, y: this.top + row * this.step, width: this.step, height: this.step };
    }
    find(x, y) {
      const row = Math.floor((y - this.top) / this.step), column = Math.floor((x - this.left) / this.step);
      const bins = this.rows.length;
      return row >= 0 && row < bins && column >= 0 && column < bins ? { row, column } : null;
    }
    describe({ row, column }) {
      if (this.isAlone(row, column)) return `thread ${this.rows[row]} alone`;
      return `threads ${this.rows[row]} and ${this.columns[column]}: ${count(this.values[row][column])} ${this.unit}`;
    }
  }

  //--- What a reader does --------------------------------------------------------------------------

  const views = [];

  /** A figure on a canvas; where that takes the focus, it can be explored. */
  class View {
    constructor(canvas) {
      this.canvas = canvas;
      this.said = canvas.parentElement.querySelector("output");
      this.cell = null;
      views.push(this);
      if (!this.said) return;
      canvas.addEventListener("pointermove", (event) => {
        const box = canvas.getBoundingClientRect();
        this.go(this.figure.find(event.clientX - box.left, event.clientY - box.top));
      });
      canvas.addEventListener("pointerleave", () => this.go(null));
      canvas.addEventListener("blur", () => this.go(null));
      canvas.addEventListener("focus", () => this.cell || this.go({ row: 0, column: 0 }));
      canvas.addEventListener("keydown", (event) => this.key(event));
      canvas.addEventListener("click", () => this.enter());
    }
    show(figure) {
      this.figure = figure;
      this.cell = null;
      this.draw();
    }
    draw() {
      if (!this.figure || !this.canvas.clientWidth) return;
      const pen = this.figure.draw(this.canvas);
      this.canvas.dataset.drawn = this.figure.constructor.name;
      if (this.cell) this.figure.mark(pen, this.cell);
      if (this.said) this.said.textContent = this.cell ? this.figure.describe(this.cell) : "\u00a0";
    }
    go(cell) {
      const isSame = cell === this.cell ||
        (cell && this.cell && cell.row === this.cell.row && cell.column === this.cell.column);
      if (isSame || !this.figure) return;
      this.cell = cell;
      this.draw();
    }
    key(event) {
      const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
      const step = steps[event.key];
      const last = { row: this.figure.rows.length - 1, column: this.figure.columns.length - 1 };
      const at = this.cell || { row: 0, column: 0 };
      const within = (value, most) => Math.max(0, Math.min(most, value));
      if (step) this.go({ row: within(at.row + step[0], last.row), column: within(at.column + step[1], last.column) });
      else if (event.key === "Home") this.go({ row: at.row, column: 0 });
      else if (event.key === "End") this.go({ row: at.row, column: last.column });
      else if (event.key === "Enter") this.enter();
      else if (event.key === "Escape") this.leave();
      else return;
      event.preventDefault();
    }
    enter() {}
    leave() {}
  }

  class MatrixView extends View {
    constructor(canvas, names) {
      super(canvas);
      this.names = names;
      this.whole = document.getElementById("whole");
      this.whole.addEventListener("click", () => {
        this.leave();
        canvas.focus();
      });
    }
    async choose(input) {
      const cells = unpack(await inflate(`matrix-${input.value}`), this.names.length, Boolean(input.dataset.symmetric));
      this.show(new Matrix(cells, this.names, input.dataset.unit));
    }
    enter() {
      if (!this.cell || this.figure.size <= PART_OF_MATRIX) return;
      const { first, bin } = this.figure, half = PART_OF_MATRIX / 2;
      const row = first.row + this.cell.row * bin, column = first.column + this.cell.column * bin;
      this.figure.show(Math.max(0, row - half), Math.max(0, column - half), PART_OF_MATRIX);
      this.cell = { row: row - this.figure.first.row, column: column - this.figure.first.column };
      this.draw();
    }
    leave() {
      this.figure.show(0, 0, this.names.length);
      this.cell = null;
      this.draw();
    }
    draw() {
      super.draw();
      if (!this.figure) return;
      this.whole.hidden = this.figure.isWhole();
      document.getElementById("most").textContent = `${count(this.figure.most)} ${this.figure.unit}`;
      const { pen, width } = prepare(document.getElementById("scale"), 12);
      for (let x = 0; x < width; ++x) {
        pen.fillStyle = shade(colours.amount, x / width);
        pen.fillRect(x, 0, 1, 12);
      }
    }
  }

  //--- Buttons -------------------------------------------------------------------------------------

  async function copy(button) {
    const line = button.previousElementSibling;
    const range = document.createRange();
    range.selectNodeContents(line);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    try {
      await navigator.clipboard.writeText(line.textContent);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Selected";
    }
  }

  //--- Start ---------------------------------------------------------------------------------------

  async function makeFigure(data, { names, accesses }) {
    if (data.kind === "traffic") return new Traffic(data);
    if (data.kind === "bars") return new Bars(data);
    if (data.kind === "amounts") return new Amounts(data);
    if (!data.matrix) return new Matrix(accesses, names, "accesses", data);
    const cells = unpack(await inflate(data.matrix), data.names.length, true);
    return new Matrix(cells, data.names, "accesses", data);
  }

  /** What is folded has no width yet: it is drawn when it is opened, and everything when its width changes. */
  function follow() {
    const observer = new ResizeObserver((entries) => {
      for (const { target } of entries) {
        const view = views.find(({ canvas }) => canvas === target);
        if (view.width !== target.clientWidth) {
          view.width = target.clientWidth;
          view.draw();
        }
      }
    });
    for (const { canvas } of views) observer.observe(canvas);
    const redraw = () => {
      readColours();
      for (const view of views) view.draw();
    };
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  }

  async function start() {
    readColours();
    for (const button of document.querySelectorAll("[data-copy]")) button.addEventListener("click", () => copy(button));
    const { figures, threads: names } = JSON.parse(new TextDecoder().decode(await inflate("figures")));
    const matrix = new MatrixView(document.getElementById("matrix"), names);
    const inputs = document.querySelectorAll("input[name=metric]");
    for (const input of inputs) input.addEventListener("change", () => matrix.choose(input));
    /* Browsers keep what was chosen when a page is loaded again. */
    await matrix.choose(inputs[0]);
    inputs[0].checked = true;
    const context = { names, accesses: matrix.figure.cells };
    for (const canvas of document.querySelectorAll("[data-figure]"))
      new View(canvas).show(await makeFigure(figures[canvas.dataset.figure], context));
    follow();
    document.documentElement.dataset.ready = "";
  }

  start().catch((error) => {
    const line = document.createElement("p");
    line.textContent = `The figures could not be drawn: ${error.message}`;
    document.querySelector("main").prepend(line);
    throw error;
  });
})();
