/** The headers the guard looks at, as Node gives them. */
export type GuardedHeaders = {
  readonly host?: string | undefined;
  readonly origin?: string | string[] | undefined;
};

const LOOPBACK_NAMES: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * Why a request is refused, or null. The console has no login: being on this machine is the permission, so a web page
 * from elsewhere must not borrow a browser that is here.
 * - `Host` must name the loopback: a foreign name that resolves to 127.0.0.1 (DNS rebinding) is refused.
 * - `Origin`, when a browser sends one, must be the console itself. Tools such as curl send none.
 */
export function refuseForeignRequest(headers: GuardedHeaders): string | null {
  const host = headers.host ?? '';
  if (!LOOPBACK_NAMES.has(hostname(host))) {
    return `Host ${quoted(host)} is not this machine; open http://127.0.0.1 with the console's port.`;
  }
  const { origin } = headers;
  if (origin !== undefined && origin !== `http://${host}`) {
    return `Origin ${quoted(String(origin))} is not this console.`;
  }
  return null;
}

function hostname(host: string): string {
  return host.replace(/:\d{1,5}$/, '').toLowerCase();
}

/** Bounded and printable, for an error text. */
function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 80));
}
