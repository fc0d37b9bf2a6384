export { outboundAgents } from './agents';
export { connectOutbound, OutboundBlocked, permittedAddresses } from './connect';
export { isLocalAddress } from './local-address';
export { OutboundPolicies } from './outbound-policies';
export { OutboundProxy } from './outbound-proxy';
export { type OutboundPolicy, permits } from './policy';
