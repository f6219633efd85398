// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are meant to look like templates of other files.
import { readFile } from 'node:fs/promises';
import { parse as parseSdl, print, visit } from 'graphql';
import { parse, stringify } from 'yaml';

/** Ends comments and strings of every language that something is written in, as code that is found by its name. */
const HOSTILE_TEXT =
  'A */ HOSTILE1(); /* ` HOSTILE2 ${HOSTILE3} """ HOSTILE4\n\n""" \\u002a\\u002f HOSTILE5; \\" {{HOSTILE6}} {% endraw %} {% HOSTILE7 %} ' +
  "<script>HOSTILE8</script> ' HOSTILE9 \r\nHOSTILE10 \u2028HOSTILE11; ends \\";

/** Files of the cats' contract, in which each description is hostile. */
export async function hostileCats(): Promise<Readonly<Record<string, string>>> {
  const document = parse(await readFile('test/fixtures/cats/openapi.yaml', 'utf8'));
  describe(document);
  Object.assign(document.info, {
    title: 'Cats */ """ ` ${x} \\u002a\\u002f',
    contact: { name: 'A */ """ <b> " ${x}, of {% endraw %}', email: 'a@example.com' },
  });
  const description = { kind: 'StringValue', value: HOSTILE_TEXT };
  const sdl = visit(parseSdl(await readFile('test/fixtures/cats/cats.graphql', 'utf8')), {
    enter: (node) =>
      /^(?:Object|Input|Enum|Scalar|Field).*Definition$/.test(node.kind) ? { ...node, description } : undefined,
  });
  return { 'openapi.yaml': stringify(document), 'cats.graphql': print(sdl) };
}

function describe(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const node = value as Record<string, unknown>;
  for (const name of ['description', 'summary']) if (typeof node[name] === 'string') node[name] = HOSTILE_TEXT;
  if (typeof node['type'] === 'string' && !('in' in node)) node['description'] = HOSTILE_TEXT;
  Object.values(node).forEach(describe);
}
