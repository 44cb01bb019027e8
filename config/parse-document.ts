import { parse as parseToml } from 'smol-toml';
import { z } from 'zod';
import { ConfigError } from '../engine/errors.ts';
import { nearest } from '../engine/nearest.ts';

/** @throws ConfigError CONFIG_SYNTAX naming file and line */
export function readToml(text: string, file: string): Record<string, unknown> {
  try {
    return parseToml(text);
  } catch (error) {
    const line = (error as { line?: number }).line;
    const why = (error as Error).message.split('\n', 1)[0]!.replace(/^Invalid TOML document: /, '');
    throw new ConfigError('CONFIG_SYNTAX', `${file}${line ? `:${line}` : ''} is not TOML: ${why}. Correct that line.`);
  }
}

/**
 * Validates a whole document.
 * @throws ConfigError CONFIG_KEY for an unknown key (with the nearest known one), CONFIG_VALUE for anything else
 */
export function parseDocument<T>(schema: z.ZodType<T>, value: unknown, file: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  if (issue.code === 'unrecognized_keys') {
    const known = keysAt(schema, issue.path);
    const wrong = issue.keys[0]!;
    const guess = nearest(wrong, known);
    const where = [...issue.path, wrong].join('.');
    const hint = guess === null ? `Known there: ${known.join(', ')}.` : `Did you mean ${guess}?`;
    throw new ConfigError('CONFIG_KEY', `${file}: unknown key ${where}. ${hint}`);
  }
  const where = issue.path.join('.') || 'the document';
  throw new ConfigError('CONFIG_VALUE', `${file}: ${where}: ${issue.message}.`);
}

/** Keys the schema knows at a path; indices of lists step into their element. */
function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  let at: unknown = unwrap(schema);
  for (const key of path) {
    if (at instanceof z.ZodObject) at = unwrap((at.shape as Record<PropertyKey, unknown>)[key]);
    else if (at instanceof z.ZodArray) at = unwrap(at.element);
  }
  return at instanceof z.ZodObject ? Object.keys(at.shape) : [];
}

function unwrap(schema: unknown): unknown {
  return schema instanceof z.ZodOptional ? unwrap(schema.unwrap()) : schema;
}
