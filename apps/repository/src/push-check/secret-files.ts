const names = [
  /(^|\/)\.?aws\/credentials$/,
  /(^|[/.])(id|personal|server)_(rsa|dsa|ecdsa|ed25519)(_sk)?$/,
  /\.(pem|key)$/,
  /(^|[/._])history$/,
];

/** Whether files of that name usually contain keys or passwords. See docs/api/repository.md#14. */
export const isSecretFile = (path: string): boolean => names.some((name) => name.test(path));
