// Leads old addresses to the page of what they name: `rest.html#tag/products/createProduct`, `graphql.html#createProduct`.
{
  const hash = location.hash.slice(1);
  const last = hash.split('/').at(-1);
  const isType = /^type-/.test(last) || /^model\//.test(hash);
  const name = last.replace(/^type-/, '').replace(/%[0-9a-f]{2}/gi, (code) => String.fromCharCode(parseInt(code.slice(1), 16)));
  const links = [...document.querySelectorAll(isType ? 'main li a' : 'main td a, main li a')];
  const called = (wanted) => links.find(({ textContent }) => wanted(textContent));
  const target =
    hash === '' || document.getElementById(hash)
      ? undefined
      : (called((text) => text === name) ?? called((text) => text.toLowerCase() === name.toLowerCase()));
  if (target) location.replace(target.href);
}
