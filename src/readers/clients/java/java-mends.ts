import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { shownTexts } from './java-names.ts';

/** Class of the layer that reads what the generated code would misread. */
const READER = 'AnswerReader';
/** … that writes bodies. */
const WRITER = 'BodyWriter';
/** … and parameters. */
const PARAMETERS = 'ParameterWriter';

const UNION =
  / {12}JsonNode tree = jp\.readValueAsTree\(\);\n([\s\S]*?) {12}(?:boolean typeCoercion|\/\/ deserialize )[\s\S]*?(?= {8}}\n\n {8}\/\*\*\n {9}\* Handle deserialization of the 'null' value)/;
const VARIANT = /schemas\.put\("[^"]*", ([\w.]+\.class)\)/g;

/** Text beyond JSON: the generator has Jackson read all but `text/plain`. */
const TEXT = /memberVarObjectMapper\.readValue\(responseBody, new TypeReference<String>\(\) \{}\)/g;
/** Fields and parts of forms, which the generator writes as Java prints them. */
const FIELD = /formValues\.add\(new BasicNameValuePair\(("(?:[^"\\]|\\.)*"), (.+)\.toString\(\)\)\);/g;
const TEXT_PART = /multiPartBuilder\.addTextBody\(("(?:[^"\\]|\\.)*"), (.+)\.toString\(\)\);/g;
const FILE_PART = /^( *)(multiPartBuilder\.addBinaryBody\(".*", (\w+)\);)$/gm;
/** A body beyond JSON, which the generator writes as JSON. */
const BODY =
  /(header\("Content-Type", "(?![^"]*[/+]json)[^"]*"\);(?:(?!Content-Type)[\s\S]){0,300}?)memberVarObjectMapper\.writeValueAsBytes\((\w+)\)/g;
/** An optional body, which is not sent if it is null. */
const OPTIONAL =
  /(localVarRequestBuilder\.header\("Content-Type", "[^"]*"\);)((?:(?!Content-Type)[\s\S]){0,300}?)(memberVarObjectMapper\.writeValueAsBytes\((\w+)\))/g;
/** Between the items of a list: encoded, it would be part of one. */
const DELIMITER = 'delimiter = urlEncode(",")';
/** A list that may be null. */
const ITEMS = /for \(int i=0; (i < (\w+)\.size\(\); i\+\+\))/g;

/** A part of an object that may be null. */
const PART = /^( *)(localVarQuery\w+\.add(?:All)?\((?:.*[ (])?(\w+)\.(?:(?:get|is)\w+|toUrlQueryString)\(\)\)*;)$/gm;

/** A property of any type, which the generator sends as null if it is not set. */
const UNSET = /(private JsonNullable<Object> \S+ = JsonNullable\.<Object>)of\(null\);/g;
/** Lists and maps in queries, paths and header fields. */
const MAP = /([\w$]+)\.toUrlQueryString\(("(?:[^"\\]|\\.)*")\);/g;
const FIELDS = 'singletonList(new Pair(urlEncode(name), urlEncode(valueToString(value))))';
const SEGMENT = /ApiClient\.urlEncode\(([\w$]+)\.toString\(\)\)/g;
const HEADER = /(localVarRequestBuilder\.header\("(?:[^"\\]|\\.)*", )([\w$]+)\.toString\(\)\)/g;

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
    .replace(PART, '$1if ($3 != null) $2')
    .replace(UNSET, '$1undefined();')
    .replace(MAP, `${PARAMETERS}.query($2, $1);`)
    .replace(FIELDS, `singletonList(new Pair(urlEncode(name), ${PARAMETERS}.text(name, value, valueToString(value))))`)
    .replace(SEGMENT, `${PARAMETERS}.segment($1)`)
    .replace(HEADER, `$1${PARAMETERS}.header($2))`)
    .replace(DELIMITER, 'delimiter = ","')
    .replace(OPTIONAL, 'if ($4 != null) $1$2$4 == null ? new byte[0] : $3')
    .replace(BODY, `$1${WRITER}.body($2, memberVarObjectMapper)`)
    .replace(ITEMS, 'for (int i=0; $2 != null && $1')
    .replace(FILE_PART, '$1if ($3 != null) $2')
    .replace(
      FIELD,
      `${WRITER}.fields($1, $2, memberVarObjectMapper).forEach((localVarName, localVarText) -> formValues.add(new BasicNameValuePair(localVarName, localVarText)));`,
    )
    .replace(
      TEXT_PART,
      `multiPartBuilder.addTextBody($1, ${WRITER}.text($2, memberVarObjectMapper), org.apache.http.entity.ContentType.create(${WRITER}.typeOf($2, memberVarObjectMapper), java.nio.charset.StandardCharsets.UTF_8));`,
    );
  const used = [READER, WRITER, PARAMETERS]
    .filter((name) => own.includes(`${name}.`))
    .map((name) => `import ${root}.${name};\n`);
  return used.length > 0 ? own.replace(/^package .*\n/m, `$&\n${used.join('')}`) : own;
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
