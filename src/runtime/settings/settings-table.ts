import type { Setting } from './setting.ts';
import { settings } from './settings.ts';

/** All settings as a Markdown table, for docs/settings.md. */
export function settingsTable(): string {
  const rows = Object.values<Setting<unknown>>(settings).map((setting) => {
    const standard = setting.fallback === undefined ? setting.unset : `\`${setting.fallback}\``;
    return [`\`${setting.variable}\``, standard, setting.kind.accepts, setting.description];
  });
  const lines = [['Variable', 'Default', 'Accepts', 'Meaning'], ['---', '---', '---', '---'], ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
