export { isLocalAddress } from './local-address';
export { OutboundPolicies } from './outbound-policies';
export { OutboundProxy } from './outbound-proxy';
export { mayReach, OutboundBlocked, permittedAddresses } from './permitted-addresses';
export { type OutboundPolicy, permits } from './policy';
export {
  type OutboundAnswer,
  type OutboundRequest,
  type StreamedRequest,
  sendRequest,
  streamRequest,
} from './send-request';
