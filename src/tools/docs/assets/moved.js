// Leads old addresses to the page of what they name: `rest.html#tag/products/createProduct`, `graphql.html#createProduct`.
{
  const name = decodeURIComponent(location.hash.slice(1)).split('/').at(-1).replace(/^type-/, '').toLowerCase();
  const isHere = document.getElementById(location.hash.slice(1)) !== null;
  const links = [...document.querySelectorAll('main td a, main li a')];
  const target = name === '' || isHere ? undefined : links.find(({ textContent }) => textContent.toLowerCase() === name);
  if (target) location.replace(target.href);
}
