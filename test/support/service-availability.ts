/**
 * Whether a service that some tests need is available: it must be if `REQUIRE_…` is `true`, else it is if it answers. The
 * main process finds out, and its workers use the result: on a busy machine, a worker that asked itself could skip tests.
 */
export async function isAvailable(service: string, answers: () => Promise<boolean>): Promise<boolean> {
  const name = `HAS_${service}`;
  const known = process.env[`REQUIRE_${service}`] === 'true' ? 'true' : process.env[name];
  const available = known === undefined ? await answers() : known === 'true';
  process.env[name] = String(available);
  return available;
}
