// Filters the facts of the parity page.
{
  const form = document.getElementById('filter');
  const sections = [...document.querySelectorAll('#facts h3')].map((heading) => {
    const table = heading.nextElementSibling;
    const rows = [...table.querySelectorAll('tbody tr')].map((row) => ({
      row,
      text: `${heading.textContent} ${row.textContent}`.toLowerCase(),
      aspect: row.cells[0].textContent,
      differs: row.cells[4].textContent === '≠',
    }));
    return { heading, table, rows };
  });

  function filter() {
    const { text, aspect, different } = form.elements;
    const wanted = text.value.toLowerCase().split(/\s+/);
    let shown = 0;
    for (const { heading, table, rows } of sections) {
      let count = 0;
      for (const one of rows) {
        const fits =
          wanted.every((word) => one.text.includes(word)) &&
          (aspect.value === '' || one.aspect === aspect.value) &&
          (!different.checked || one.differs);
        one.row.hidden = !fits;
        if (fits) count += 1;
      }
      heading.hidden = table.hidden = count === 0;
      shown += count;
    }
    form.querySelector('output').value = shown === 1 ? '1 fact' : `${shown} facts`;
  }

  form.addEventListener('input', filter);
  form.addEventListener('submit', (event) => event.preventDefault());
  form.hidden = false;
  filter();
}
