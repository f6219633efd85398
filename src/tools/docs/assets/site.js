// Light and dark mode, the menu of narrow screens, and search, for all pages.
{
  const root = document.documentElement;
  const toRoot = root.dataset.root;

  document.getElementById('mode').addEventListener('click', () => {
    const mode = root.classList.contains('dark') ? 'light' : 'dark';
    try {
      localStorage.setItem('lockstep.mode', mode);
    } catch {
      // Without storage, the mode lasts until the page is left.
    }
    root.classList.remove('light', 'dark');
    root.classList.add(mode);
    document.dispatchEvent(new CustomEvent('mode'));
  });

  const menu = document.getElementById('menu');
  menu.addEventListener('click', () => {
    const isOpen = menu.getAttribute('aria-expanded') === 'true';
    menu.setAttribute('aria-expanded', String(!isOpen));
    document.getElementById('pages').classList.toggle('open', !isOpen);
  });

  // Copying code.
  for (const block of document.querySelectorAll('main pre:not(.mermaid)')) {
    const button = Object.assign(document.createElement('button'), { type: 'button', className: 'copy', textContent: 'Copy' });
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.querySelector('code').textContent);
      button.textContent = 'Copied';
      setTimeout(() => (button.textContent = 'Copy'), 1500);
    });
    const frame = Object.assign(document.createElement('div'), { className: 'code' });
    block.replaceWith(frame);
    frame.append(block, button);
  }

  // Search: the index is loaded when somebody asks.
  let dialog;
  let engine;

  function load(path) {
    return new Promise((resolve, reject) => {
      const script = Object.assign(document.createElement('script'), { src: toRoot + path, onload: resolve, onerror: reject });
      document.head.append(script);
    });
  }

  async function prepare() {
    if (engine) return;
    await Promise.all([load('docs/assets/minisearch.js'), load('docs/assets/search-index.js')]);
    engine = new globalThis.MiniSearch({
      fields: ['title', 'words', 'page', 'text'],
      storeFields: ['title', 'page', 'path', 'text'],
      // `createProduct` is found by `product`.
      tokenize: (text) => text.replace(/([a-z\d])([A-Z])/g, '$1 $2').split(/[\s\p{P}$=|]+/u),
      searchOptions: { boost: { title: 4, words: 3 }, prefix: true, fuzzy: 0.2, combineWith: 'AND' },
    });
    engine.addAll(globalThis.searchIndex);
  }

  function makeDialog() {
    dialog = document.createElement('dialog');
    dialog.className = 'search';
    dialog.setAttribute('aria-label', 'Search');
    dialog.innerHTML =
      '<form method="dialog"><input type="search" aria-label="Search the documentation" placeholder="Operations, fields, errors, rules …" autocomplete="off" spellcheck="false"><button>Close</button></form><p role="status"></p><ol></ol>';
    dialog.querySelector('input').addEventListener('input', show);
    dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
    dialog.addEventListener('keydown', move);
    document.body.append(dialog);
  }

  async function open() {
    if (!dialog) makeDialog();
    if (dialog.open) return;
    dialog.showModal();
    dialog.querySelector('input').select();
    await prepare();
    show();
  }

  function show() {
    const text = dialog.querySelector('input').value.trim();
    const found = text === '' || !engine ? [] : engine.search(text);
    dialog.querySelector('[role=status]').textContent =
      text === '' ? 'Everything on this site is searched.' : found.length === 0 ? 'Nothing found.' : `${found.length} found`;
    dialog.querySelector('ol').replaceChildren(
      ...found.slice(0, 12).map(({ title, page, path, text: about }) => {
        const link = Object.assign(document.createElement('a'), { href: toRoot + path });
        link.addEventListener('click', () => dialog.close());
        const [name, place, words] = ['b', 'small', 'span'].map((tag) => document.createElement(tag));
        name.textContent = title;
        place.textContent = page;
        words.textContent = about.slice(0, 140);
        link.append(name, ' ', place, words);
        const item = document.createElement('li');
        item.append(link);
        return item;
      }),
    );
  }

  function move(event) {
    const links = [...dialog.querySelectorAll('ol a')];
    const at = links.indexOf(document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1 }[event.key];
    if (event.key === 'Enter' && at === -1 && links[0]) {
      event.preventDefault();
      return links[0].click();
    }
    if (to === undefined || links.length === 0) return;
    event.preventDefault();
    (links[to] ?? dialog.querySelector('input')).focus();
  }

  document.getElementById('find').addEventListener('click', open);
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target.closest?.('input, textarea, select, [contenteditable]');
    const isAsked = (event.key === '/' && !isTyping) || (event.key === 'k' && (event.metaKey || event.ctrlKey));
    if (!isAsked || event.defaultPrevented) return;
    event.preventDefault();
    open();
  });
}
