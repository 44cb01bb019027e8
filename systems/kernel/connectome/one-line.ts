/**
 * Text of a file as it may stand in a message: line breaks, escapes and other control characters are written out, so
 * that an error stays one line and a terminal stays as it is.
 */
export function oneLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, (control) => {
    const code = control.charCodeAt(0);
    return SHORT[control] ?? `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };
