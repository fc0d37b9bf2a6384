/** A refusal in the format of registry clients. Source: OCI distribution specification, "Error Codes". */
export class TokenRefusal extends Error {
  override name = 'TokenRefusal';

  constructor(
    readonly status: number,
    readonly code: 'UNAUTHORIZED' | 'DENIED' | 'UNAVAILABLE',
    message: string,
    readonly headers: Record<string, string> = {},
  ) {
    super(message);
  }

  get body() {
    return { errors: [{ code: this.code, message: this.message }] };
  }
}

export const unauthorized = () =>
  new TokenRefusal(401, 'UNAUTHORIZED', 'HTTP Basic: Access denied', { 'www-authenticate': 'Basic realm="Moothall"' });
export const denied = () => new TokenRefusal(403, 'DENIED', 'access forbidden');
export const unavailable = (why: string) => new TokenRefusal(404, 'UNAVAILABLE', why);
