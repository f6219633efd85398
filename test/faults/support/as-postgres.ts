/** A command that refuses to run as root, as Postgres and what starts it do, and its arguments: as the user `postgres`. */
export function asPostgres(command: string, args: readonly string[]): [string, string[]] {
  if (process.getuid!() !== 0) return [command, [...args]];
  return ['setpriv', ['--reuid=postgres', '--regid=postgres', '--init-groups', command, ...args]];
}
