export type CommandAnswer = { readonly status: number; readonly body: Readonly<Record<string, unknown>> };

/** Sends an operator's act. Status 0 means that no answer came: it may or may not have happened. */
export async function postCommand(path: '/show' | '/stop' | '/sugar', body: unknown): Promise<CommandAnswer> {
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-fly-console': '1' },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  } catch (error) {
    return { status: 0, body: { error: error instanceof Error ? error.message : String(error) } };
  }
}
