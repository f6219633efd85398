// Leads old addresses to the page of what they name: `rest.html#tag/products/createProduct`, `graphql.html#createProduct`.
{
  const { hash: fragment } = location;
  const { root: toRoot, index } = document.documentElement.dataset;
  const hash = fragment.slice(1);
  const last = hash.split('/').at(-1);
  const isType = /^type-/.test(last) || /^model\//.test(hash);
  const name = last.replace(/^type-/, '').replace(/%[0-9a-f]{2}/gi, (code) => String.fromCharCode(parseInt(code.slice(1), 16)));
  const links = [...document.querySelectorAll(isType ? 'main li a' : 'main td a, main li a')];
  // In any case, if not as it is written.
  const found = (all, namesOf) =>
    all.find((one) => namesOf(one).includes(name)) ??
    all.find((one) => namesOf(one).some((text) => text.toLowerCase() === name.toLowerCase()));
  const lead = () => {
    const target = found(links, ({ textContent }) => [textContent]);
    if (target) return location.replace(target.href);
    // Where there are many, this page has their tags alone: what search reads has all.
    const script = Object.assign(document.createElement('script'), { src: index });
    script.addEventListener('load', () => {
      const entries = globalThis.searchIndex.filter(({ kind }) => kind === (isType ? 'type' : 'operation'));
      const entry = found(entries, ({ title, words }) => [title, ...words.split(' ')]);
      if (entry) location.replace(toRoot + entry.path);
    });
    document.head.append(script);
  };
  if (hash !== '' && !document.getElementById(hash)) lead();
}
