/**
 * Whether a service is there that some tests need: it is when `REQUIRE_…` says so, else when it answers. The process that
 * runs the tests asks, and its workers go by that: one that asked for itself, on a busy machine, would leave tests out.
 */
export async function foundOnce(service: string, answers: () => Promise<boolean>): Promise<boolean> {
  const name = `HAS_${service}`;
  const known = process.env[`REQUIRE_${service}`] === 'true' ? 'true' : process.env[name];
  const found = known === undefined ? await answers() : known === 'true';
  process.env[name] = String(found);
  return found;
}
