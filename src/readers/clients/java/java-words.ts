import { camelCase } from '../../../compiler/model/index.ts';

const JAVA_WORDS = new Set(
  'abstract assert boolean break byte case catch char class const continue default do double else enum extends final finally float for goto if implements import instanceof int interface long native new null package private protected public return short static strictfp super switch synchronized this throw throws transient try void volatile while true false null'.split(
    ' ',
  ),
);

export const isJavaWord = (name: string): boolean => JAVA_WORDS.has(name);

/** Methods without parameters that every class has, and that of `Client`. */
const METHODS = ['connection', 'clone', 'finalize', 'getClass', 'hashCode', 'notify', 'notifyAll', 'toString', 'wait'];

/** A method's name, with the suffix where Java has another use for it. */
export const methodName = (name: string, suffix: string): string =>
  isJavaWord(name) || METHODS.includes(name) || !/^[A-Za-z_$]/.test(name)
    ? `${name.replace(/^\d/, '_$&')}${suffix}`
    : name;

/** A name as the generator spells a property or a parameter. */
export function javaSpelling(name: string): string {
  const own = camelCase(name);
  if (own === 'class') return 'propertyClass';
  return isJavaWord(own) || /^\d/.test(own) ? `_${own}` : own;
}
