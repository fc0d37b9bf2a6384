/** Names of parameters with a credential, for any operation. */
export const credentialParameters = new Set(['private_token', 'access_token', 'job_token', 'sudo']);
