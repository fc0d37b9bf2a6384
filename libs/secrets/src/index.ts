export { type BasicCredential, readBasic } from './basic-credential';
export { masked, unmasked } from './mask';
export { SecretBox, sha256 } from './secret-box';
export { newSshKeyPair } from './ssh-key-pair';
