export { type BasicCredential, readBasic } from './basic-credential';
export { SecretBox, sha256 } from './secret-box';
export { newSshKeyPair } from './ssh-key-pair';
