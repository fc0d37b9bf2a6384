export { SecretBox, sha256 } from './secret-box';
