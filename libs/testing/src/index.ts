export { callerNamed, contextOf, groupNamed, projectNamed, uniqueId } from './contexts';
export { eventually, type ServiceUnderTest, startServiceUnderTest } from './service-under-test';
