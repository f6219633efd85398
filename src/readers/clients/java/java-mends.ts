import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { shownTexts } from './java-names.ts';

/** Class of the layer that reads what the generated code would misread. */
const READER = 'AnswerReader';

const UNION =
  / {12}JsonNode tree = jp\.readValueAsTree\(\);\n([\s\S]*?) {12}(?:boolean typeCoercion|\/\/ deserialize )[\s\S]*?(?= {8}}\n\n {8}\/\*\*\n {9}\* Handle deserialization of the 'null' value)/;
const VARIANT = /schemas\.put\("[^"]*", ([\w.]+\.class)\)/g;

/** Text beyond JSON: the generator has Jackson read all but `text/plain`. */
const TEXT = /memberVarObjectMapper\.readValue\(responseBody, new TypeReference<String>\(\) \{}\)/g;
/** A part of an object that may be null. */
const PART = /^( *)(localVarQuery\w+\.add(?:All)?\((?:.*[ (])?(\w+)\.(?:(?:get|is)\w+|toUrlQueryString)\(\)\)*;)$/gm;

/** Mends the code that the generator has written into a folder, for a package. */
export async function mendJava(folder: string, root: string): Promise<void> {
  for (const path of await readdir(folder, { recursive: true })) {
    if (!path.endsWith('.java')) continue;
    const text = await readFile(join(folder, path), 'utf8');
    const own = shownTexts(mended(text, root));
    if (own !== text) await writeFile(join(folder, path), own);
  }
}

function mended(text: string, root: string): string {
  const own = withVariants(text)
    .replace(TEXT, `${READER}.text(localVarResponse, responseBody, memberVarObjectMapper)`)
    .replace(PART, '$1if ($3 != null) $2');
  return own.includes(`${READER}.`) ? own.replace(/^package .*\n/m, `$&\nimport ${root}.${READER};\n`) : own;
}

/** Has a union choose the variant that fits: the generator chooses the first that can be read, or refuses two. */
function withVariants(text: string): string {
  const variants = [...text.matchAll(VARIANT)].map(([, one]) => one);
  const [, name] = /public class (\w+) extends AbstractOpenApiSchema/.exec(text) ?? [];
  if (name === undefined) return text;
  return text.replace(
    UNION,
    (_, before: string) => `            JsonNode tree = jp.readValueAsTree();
${before}            ${name} chosen = new ${name}();
            chosen.setActualInstance(${READER}.variant(tree, jp.getCodec(), ctxt, ${variants.join(', ')}));
            return chosen;
`,
  );
}
