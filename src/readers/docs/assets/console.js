// Starts the console of the REST reference. Without scripts, its text is shown.
{
  const root = document.documentElement;
  const data = document.getElementById('callers');
  const callers = data ? JSON.parse(data.textContent) : [];
  let caller = callers.at(-1);
  const mode = () => (root.classList.contains('dark') ? 'dark' : 'light');
  const slugOf = (text) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-|-$/g, '');

  const sources = globalThis.restDocuments.map(({ title, document: content }, index) => ({
    title,
    slug: slugOf(title.split(' ')[0]),
    content,
    default: index === 0,
  }));

  // Each scheme by which a token is sent gets the token of the caller.
  function authenticationOf(token) {
    const schemes = sources[0].content.components?.securitySchemes ?? {};
    const bearers = Object.keys(schemes).filter(
      (name) => schemes[name].type === 'http' && schemes[name].scheme?.toLowerCase() === 'bearer',
    );
    return {
      preferredSecurityScheme: bearers[0] ?? null,
      securitySchemes: Object.fromEntries(bearers.map((name) => [name, { token }])),
    };
  }

  const configuration = () => ({
    ...(sources.length > 1 ? { sources } : { content: sources[0].content }),
    theme: 'none',
    layout: 'modern',
    withDefaultFonts: false,
    proxyUrl: '',
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    showDeveloperTools: 'never',
    hideSearch: true,
    hideClientButton: true,
    hideDarkModeToggle: true,
    forceDarkModeState: mode(),
    hiddenClients: true,
    documentDownloadType: 'none',
    orderSchemaPropertiesBy: 'preserve',
    persistAuth: false,
    generateOperationSlug: (operation) => operation.operationId ?? slugOf(`${operation.method} ${operation.path}`),
    generateTagSlug: (tag) => slugOf(tag.name),
    ...(caller && { authentication: authenticationOf(caller.token) }),
  });

  // Links of the site name the operation; the console puts the version before it where there are several.
  function openLink() {
    const { hash } = location;
    if (sources.length < 2 || !/^#(?:tag|model)\//.test(hash)) return false;
    history.replaceState(history.state, '', `#${sources[0].slug}/${hash.slice(1)}`);
    return true;
  }

  // What the console leaves unsaid to readers of a screen, and out of reach of a keyboard.
  function repair() {
    for (const button of mount.querySelectorAll('[class*="copy-button"]:not([aria-label])'))
      button.setAttribute('aria-label', 'Copy');
    for (const button of mount.querySelectorAll('.show-more[aria-label]')) button.removeAttribute('aria-label');
    for (const region of mount.querySelectorAll('ul.endpoints, span.overflow-x-auto')) region.tabIndex = 0;
  }

  openLink();
  const mount = document.getElementById('reference');
  mount.replaceChildren();
  const reference = globalThis.Scalar.createApiReference(mount, configuration());
  document.addEventListener('mode', () => reference.updateConfiguration(configuration()));
  addEventListener('hashchange', () => openLink() && dispatchEvent(new PopStateEvent('popstate')));
  new MutationObserver(repair).observe(mount, { childList: true, subtree: true });

  if (callers.length > 0) {
    const bar = Object.assign(document.createElement('aside'), { className: 'as', ariaLabel: 'Caller' });
    const label = Object.assign(document.createElement('label'), { textContent: 'Try operations as', htmlFor: 'caller' });
    const select = Object.assign(document.createElement('select'), { id: 'caller' });
    select.append(...callers.map(({ name }, index) => new Option(name, String(index))));
    select.value = String(callers.length - 1);
    select.addEventListener('change', () => {
      caller = callers[Number(select.value)];
      reference.updateConfiguration(configuration());
    });
    bar.append(label, select);
    mount.before(bar);
  }
}
