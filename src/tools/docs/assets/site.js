// Switches between light and dark mode for all pages, and notifies scripts that draw.
{
  const KEY = 'redoc.colorMode';
  const root = document.documentElement;

  document.getElementById('mode').addEventListener('click', () => {
    const mode = root.classList.contains('dark') ? 'light' : 'dark';
    try {
      localStorage.setItem(KEY, mode);
    } catch {
      // Without storage, the mode lasts until the page is left.
    }
    root.classList.remove('light', 'dark');
    root.classList.add(mode);
    document.dispatchEvent(new CustomEvent('mode'));
  });

  document.querySelector('header nav [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
}
