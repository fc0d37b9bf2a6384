export { callerNamed, contextOf, groupNamed, projectNamed, uniqueId } from './contexts';
export { eventually } from './eventually';
export { type DatabaseFault, databaseFaults, FailPoint } from './faults/fail-point';
export { isUnderFaults, itWithoutFaults } from './faults/without-faults';
export { Neighbours } from './neighbours';
export { sample, sampleInput } from './sample-input';
export { type ServiceUnderTest, startServiceUnderTest } from './service-under-test';
export { ticketKey } from './ticket-key';
export { UploadStore } from './upload-store';
