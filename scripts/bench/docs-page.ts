import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, chromium } from 'playwright-core';
import { median } from './measure.ts';
import { align } from './report.ts';
import { startServer } from './server-process.ts';

/** A phone on a slow network. */
const KBITS = 1_600;
const LATENCY_MS = 150;
const CPU_SLOWDOWN = 4;
const VIEWPORT = { width: 390, height: 844 };
const RUNS = 3;
/** After this time without a request, a page is loaded; what it draws then has time to come. */
const SETTLED_MS = 1_000;
/** A task blocks for as long as it takes beyond this (W3C Long Tasks). */
const LONG_TASK_MS = 50;

const PAGES = ['/', '/docs/operations/createProduct.html', '/docs/resources.html', '/docs/guides/filters.html'];

/** What a reader waits for. */
interface Measured {
  readonly bytes: number;
  readonly largestPaintMs: number;
  readonly blockedMs: number;
  readonly shift: number;
}

/** Adds up what the page itself observes from its first moment. */
const OBSERVE = `
  globalThis.measured = { largestPaintMs: 0, blockedMs: 0, shift: 0 };
  const on = (type, add) => new PerformanceObserver((list) => list.getEntries().forEach(add)).observe({ type, buffered: true });
  on('largest-contentful-paint', ({ startTime }) => { measured.largestPaintMs = startTime; });
  on('longtask', ({ duration }) => { measured.blockedMs += Math.max(0, duration - ${LONG_TASK_MS}); });
  on('layout-shift', ({ value, hadRecentInput }) => { if (!hadRecentInput) measured.shift += value; });`;

async function measure(browser: Browser, url: string): Promise<Measured> {
  const context = await browser.newContext({ viewport: VIEWPORT, isMobile: true, deviceScaleFactor: 2 });
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    const bytesPerSecond = (KBITS * 1_000) / 8;
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: LATENCY_MS,
      downloadThroughput: bytesPerSecond,
      uploadThroughput: bytesPerSecond,
    });
    await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
    let bytes = 0;
    session.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });
    await page.addInitScript(OBSERVE);
    await page.goto(url, { waitUntil: 'networkidle' });
    await page.waitForTimeout(SETTLED_MS);
    const observed = await page.evaluate<Omit<Measured, 'bytes'>>('measured');
    return { ...observed, bytes };
  } finally {
    await context.close();
  }
}

/** The documentation as `npm start` serves it, unless another is named. */
async function measurePages(origin: string, paths: readonly string[]): Promise<void> {
  const executablePath = [process.env['CHROMIUM'] ?? '', '/usr/bin/chromium', '/usr/bin/chromium-browser'].find(
    existsSync,
  );
  if (executablePath === undefined)
    throw new Error('There is no Chromium: apt-get install chromium, or CHROMIUM=PATH.');
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const rows: string[][] = [];
    for (const path of paths) {
      // What is made for the first reader is made.
      await fetch(origin + path);
      const runs: Measured[] = [];
      for (let run = 0; run < RUNS; run += 1) runs.push(await measure(browser, origin + path));
      const of = (name: keyof Measured) => median(runs.map((one) => one[name]));
      rows.push([
        path,
        `${(of('bytes') / 1_000).toFixed(0)} KB`,
        `${(of('largestPaintMs') / 1_000).toFixed(2)} s`,
        `${of('blockedMs').toFixed(0)} ms`,
        of('shift').toFixed(3),
      ]);
    }
    console.log(
      `${KBITS / 1_000} Mbit/s, ${LATENCY_MS} ms, CPU ÷ ${CPU_SLOWDOWN}, ${VIEWPORT.width} px; the median of ${RUNS}, without a cache.\n`,
    );
    console.log(align([['page', 'bytes', 'largest paint', 'blocked', 'shift'], ...rows], 1));
  } finally {
    await browser.close();
  }
}

const { values } = parseArgs({ options: { url: { type: 'string' }, page: { type: 'string', multiple: true } } });
const folder = mkdtempSync(join(tmpdir(), 'lockstep-docs-'));
const environment = { DATA_DIR: folder, LOG_LEVEL: 'warn' };
const server =
  values.url === undefined
    ? await startServer({ name: 'npm start', entry: 'scripts/start.ts', environment })
    : undefined;
try {
  await measurePages(values.url ?? `http://127.0.0.1:${server?.port}`, values.page ?? PAGES);
} finally {
  await server?.stop();
  rmSync(folder, { recursive: true });
}
