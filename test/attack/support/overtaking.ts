/** How many of the answers that were asked for first have come before the last of `reads`. */
export async function aheadOf(ask: () => readonly Promise<unknown>[], reads: () => Promise<unknown>): Promise<number> {
  let answered = 0;
  const asked = ask().map(async (answer) => {
    await answer;
    answered++;
  });
  await reads();
  const ahead = answered;
  await Promise.all(asked);
  return ahead;
}
