import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { endedByTests } from './clean-up.ts';

const CHROMIUM = [process.env['CHROMIUM'] ?? '', '/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync);

if (CHROMIUM === undefined && process.env['REQUIRE_CHROMIUM'] === 'true')
  throw new Error('REQUIRE_CHROMIUM is set, and there is no Chromium.');
if (CHROMIUM === undefined)
  console.warn('Nothing is tested in a browser: there is no Chromium (apt-get install chromium).');

/** Whether pages can be tested in a browser. */
export const hasChromium = CHROMIUM !== undefined;

export async function openBrowser(): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: CHROMIUM!, args: ['--no-sandbox'] });
  endedByTests(() => browser.close());
  return browser;
}

/** Cuts a page off from all but one origin; what it wanted elsewhere. */
export async function keepTo(page: Page, origin: string): Promise<readonly string[]> {
  const elsewhere: string[] = [];
  await page.route('**', (route) => {
    const url = route.request().url();
    if (url.startsWith(origin) || /^(blob|data):/.test(url)) return route.continue();
    elsewhere.push(url);
    return route.abort();
  });
  return elsewhere;
}
