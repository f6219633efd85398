import { gzipSync } from 'node:zlib';

const BLOCK = 512;
const MODE = '0000644';

/** Files as a gzipped tar archive (POSIX.1-1988, ustar), the same bytes each time. Names have at most 100 characters. */
export function tarball(files: Iterable<readonly [path: string, text: string]>): Buffer {
  const blocks = [...files].flatMap(([path, text]) => {
    const body = Buffer.from(text);
    const padding = Buffer.alloc((BLOCK - (body.length % BLOCK)) % BLOCK);
    return [header(path, body.length), body, padding];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]));
}

function header(path: string, size: number): Buffer {
  const block = Buffer.alloc(BLOCK);
  block.write(path, 0, 100);
  block.write(`${MODE}\0`, 100);
  block.write('0000000\0', 108);
  block.write('0000000\0', 116);
  block.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  block.write(`${'0'.repeat(11)}\0`, 136);
  // The sum is taken with spaces in its own place.
  block.write('        ', 148);
  block.write('0', 156);
  block.write('ustar\x0000', 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}
