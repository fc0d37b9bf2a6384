export { checkAccess, requireProject } from './check-access';
export { credentialParameters } from './credential-parameters';
export { EventedCache } from './evented-cache';
export { type Edition, type OperationAsked, OperationChecks } from './operation-checks';
export { requireTier } from './require-tier';
export { ResourceResolver } from './resource-resolver';
export { refuseUnsound } from './sound-values';
export { Validators } from './validators';
