// Sorts the table in place, by any column, best first and then worst first; without it the links of the head
// lead to the same table in another order.
"use strict";
(function () {
  var table = document.querySelector("table.dashboard");
  var body = table.tBodies[0];
  var heads = Array.from(table.tHead.rows[0].cells);
  function sort(column) {
    var head = heads[column];
    var first = column === 0 ? "ascending" : "descending";
    var second = column === 0 ? "descending" : "ascending";
    var direction = head.getAttribute("aria-sort") === first ? second : first;
    var sign = direction === "ascending" ? 1 : -1;
    var rows = Array.from(body.rows);
    rows.sort(function (a, b) {
      if (column === 0) {
        var left = a.cells[0].textContent, right = b.cells[0].textContent;
        return sign * (left < right ? -1 : left > right ? 1 : 0);
      }
      return sign * (Number(a.cells[column].dataset.key) - Number(b.cells[column].dataset.key));
    });
    heads.forEach(function (other) { other.removeAttribute("aria-sort"); });
    head.setAttribute("aria-sort", direction);
    rows.forEach(function (row) { body.appendChild(row); });
  }
  heads.forEach(function (head, column) {
    var control = head.querySelector("a");
    if (!control) {
      control = document.createElement("a");
      control.href = "#";
      control.textContent = head.textContent;
      head.replaceChildren(control);
    }
    control.addEventListener("click", function (event) {
      event.preventDefault();
      sort(column);
    });
  });
})();
