export { isLocalAddress } from './local-address';
export { OutboundPolicies } from './outbound-policies';
export { OutboundProxy } from './outbound-proxy';
export { OutboundBlocked, permittedAddresses } from './permitted-addresses';
export { type OutboundPolicy, permits } from './policy';
