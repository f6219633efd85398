import type { Caller } from '../harness/callers.ts';
import { Deviation } from './deviation.ts';
import type { MoveContext } from './move-context.ts';

/** Each caller is shown the tools that its scopes admit, and no others; some servers ask it to sign in first. */
export async function listTools({ client, callers: { anonymous, owner, other, staff } }: MoveContext): Promise<void> {
  const { tools } = client.protocols;
  const check = async (caller: Caller): Promise<void> => {
    const { status, text, json } = await client.send(tools!.list(caller), caller);
    const due = tools!.shownTo(caller);
    if (!due) {
      if (status === 401) return;
      throw deviation('access', `answers ${status} instead of 401 to ${caller.name}`);
    }
    const listed: unknown = json?.result?.tools;
    if (status !== 200 || !Array.isArray(listed)) throw deviation('mcp', `answers ${status} ${text.slice(0, 400)}`);
    const shown = listed.map((tool) => String(tool?.name));
    const surplus = shown.find((name) => !due.includes(name));
    if (surplus !== undefined) throw deviation('access', `shows ${surplus} to ${caller.name}, which may not call it`);
    const missing = due.find((name) => !shown.includes(name));
    if (missing !== undefined)
      throw deviation('access', `does not show ${missing} to ${caller.name}, which may call it`);
  };
  for (const caller of [anonymous, owner, other, staff]) if (caller) await check(caller);
}

const deviation = (rule: string, what: string): Deviation => new Deviation(rule, 'tools/list', what);
