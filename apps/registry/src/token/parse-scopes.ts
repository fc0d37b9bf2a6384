/** A scope that a registry client requests. */
export interface RequestedScope {
  type: string;
  name: string;
  actions: string[];
}

/** Above the number that clients request; each one is looked up. */
const mostScopes = 50;
/** Names may contain a colon before the port of a host: the type ends at the first colon, the name at the last. */
const form = /^(?<type>[a-z0-9]+)(?:\([a-z0-9]+\))?:(?<name>[^\s]+):(?<actions>[a-z*,]*)$/;

/**
 * Parses scopes of a request, each as `type:name:action,action`. Invalid ones are left out, since a token server grants
 * only what it knows. Source: Docker Registry v2 authentication, "Token Scope Documentation".
 */
export function parseScopes(given: string | readonly string[] | undefined): RequestedScope[] {
  const texts = [given ?? []].flat().flatMap((text) => text.split(' '));
  return texts.slice(0, mostScopes).flatMap((text) => {
    const { type, name, actions } = form.exec(text)?.groups ?? {};
    if (type === undefined || name === undefined || actions === undefined) return [];
    return [{ type, name, actions: [...new Set(actions.split(','))].filter((action) => action !== '') }];
  });
}
