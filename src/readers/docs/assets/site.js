// Light and dark mode, tabs of samples, and search, for all pages.
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

  // Copying code.
  for (const block of navigator.clipboard ? document.querySelectorAll('main pre') : []) {
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

  // Samples of one thing in several languages are tabs; the one that was chosen last is shown everywhere.
  const kept = (label) => {
    try {
      if (label !== undefined) localStorage.setItem('lockstep.language', label);
      return localStorage.getItem('lockstep.language');
    } catch {
      return null;
    }
  };
  const groups = [...document.querySelectorAll('main .samples')].map((group) => {
    const samples = [...group.children].map((panel, index) => ({ panel, label: panel.dataset.label, index }));
    const list = Object.assign(document.createElement('div'), { className: 'tabs', role: 'tablist', ariaLabel: 'Language' });
    const tabs = samples.map(({ label, panel }) => {
      const tab = Object.assign(document.createElement('button'), { type: 'button', role: 'tab', textContent: label });
      panel.setAttribute('role', 'tabpanel');
      panel.setAttribute('aria-label', label);
      panel.querySelector('h4').hidden = true;
      tab.addEventListener('click', () => {
        if (label !== 'Document' && label !== 'Variables') kept(label);
        for (const show of groups) show(label);
      });
      return tab;
    });
    list.addEventListener('keydown', ({ key }) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
      if (step === undefined) return;
      const next = tabs[(tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length];
      next.focus();
      next.click();
    });
    list.append(...tabs);
    group.prepend(list);
    const show = (label) => {
      if (!samples.some((sample) => sample.label === label)) return;
      for (const { panel, label: own, index } of samples) {
        panel.hidden = own !== label;
        tabs[index].setAttribute('aria-selected', String(own === label));
        tabs[index].tabIndex = own === label ? 0 : -1;
      }
    };
    show(samples[0].label);
    return show;
  });
  for (const show of groups) show(kept());

  // Search: the index is loaded when somebody asks.
  let dialog;
  let engine;

  function load(path) {
    return new Promise((resolve, reject) => {
      const script = Object.assign(document.createElement('script'), { src: path, onload: resolve, onerror: reject });
      document.head.append(script);
    });
  }

  async function prepare() {
    if (engine) return;
    await Promise.all(['search', 'ranks', 'index'].map((name) => load(root.dataset[name])));
    engine = globalThis.createSearch(globalThis.MiniSearch, globalThis.searchIndex);
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
    try {
      await prepare();
      show();
    } catch {
      dialog.querySelector('[role=status]').textContent = 'The search could not be loaded.';
    }
  }

  function show() {
    const text = dialog.querySelector('input').value.trim();
    const found = text === '' || !engine ? [] : engine(text);
    dialog.querySelector('[role=status]').textContent =
      text === '' ? 'Guides, operations, types, errors: everything on this site is searched.' : !engine ? 'Loading …' : found.length === 0 ? 'Nothing found.' : `${found.length} found`;
    dialog.querySelector('ol').replaceChildren(
      ...found.slice(0, 12).map(({ title, kind, path, text: about }) => {
        const link = Object.assign(document.createElement('a'), { href: toRoot + path });
        link.addEventListener('click', () => dialog.close());
        const [name, place, words] = ['b', 'small', 'span'].map((tag) => document.createElement(tag));
        name.textContent = title;
        place.textContent = kind === 'page' ? '' : kind;
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
    if (event.key === 'Enter' && at === -1) {
      event.preventDefault();
      return links[0]?.click();
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
