// Light or dark: kept for all pages, and told to those that draw something.
{
  const KEY = 'redoc.colorMode';
  const root = document.documentElement;

  document.getElementById('mode').addEventListener('click', () => {
    const mode = root.classList.contains('dark') ? 'light' : 'dark';
    try {
      localStorage.setItem(KEY, mode);
    } catch {
      // Without a place to keep it, it lasts as long as the page.
    }
    root.classList.remove('light', 'dark');
    root.classList.add(mode);
    document.dispatchEvent(new CustomEvent('mode'));
  });

  document.querySelector('header nav [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
}
