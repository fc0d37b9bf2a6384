interface ClientParameters {
  client_id?: string | undefined;
  client_secret?: string | undefined;
}

/** The client id of a request, and its proof. */
export interface ClientClaim {
  /** Undefined if absent; empty if unreadable. */
  uid: string | undefined;
  secret: string | undefined;
}

/**
 * By Basic or by parameters, and not by both. Source: RFC 6749 2.3.
 * @returns undefined for both at once
 */
export function claimOf(parameters: ClientParameters, authorization: string | undefined): ClientClaim | undefined {
  const uid = parameters.client_id || undefined;
  const secret = parameters.client_secret || undefined;
  const encoded = /^basic (.*)$/i.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return { uid, secret };
  const basic = decoded(encoded);
  const isTwofold = secret !== undefined || (uid !== undefined && uid !== basic.uid);
  return isTwofold ? undefined : basic;
}

/** Both parts are form-encoded before they are joined. Source: RFC 6749 2.3.1. */
function decoded(encoded: string): ClientClaim {
  const [uid = '', ...rest] = Buffer.from(encoded, 'base64').toString().split(':');
  const plain = (text: string) => decodeURIComponent(text.replaceAll('+', ' '));
  try {
    return { uid: plain(uid), secret: plain(rest.join(':')) || undefined };
  } catch {
    return { uid: '', secret: undefined };
  }
}
