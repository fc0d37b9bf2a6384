/** What a client of the registry wants to do with what. */
export interface RequestedScope {
  type: string;
  name: string;
  actions: string[];
}

/** More than any client asks for at once; each is looked up. */
const mostScopes = 50;
/** Names may hold a colon, before the port of a host: the type ends at the first one, the name at the last. */
const form = /^(?<type>[a-z0-9]+)(?:\([a-z0-9]+\))?:(?<name>[^\s]+):(?<actions>[a-z*,]*)$/;

/**
 * Scopes of a request, each as `type:name:action,action`. What is none is left out, since a token server grants what it
 * knows of what was asked for. Source: Docker Registry v2 authentication, "Token Scope Documentation".
 */
export function parseScopes(given: string | readonly string[] | undefined): RequestedScope[] {
  const texts = [given ?? []].flat().flatMap((text) => text.split(' '));
  return texts.slice(0, mostScopes).flatMap((text) => {
    const { type, name, actions } = form.exec(text)?.groups ?? {};
    if (type === undefined || name === undefined || actions === undefined) return [];
    return [{ type, name, actions: [...new Set(actions.split(','))].filter((action) => action !== '') }];
  });
}
