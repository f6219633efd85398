/** Ends the process with the usage of a command when that is what was asked for. */
export function helpIfAsked(usage: string): void {
  if (!process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h')) return;
  console.log(usage);
  process.exit(0);
}
