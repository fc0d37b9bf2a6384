import { Access, onGroup, onProject } from '../operation';

/** Vulnerabilities are visible to users who can fix them. See docs/api/vulnerabilities.md#1. */
export const vulnerabilityLevel = Access.Developer;

const ability = 'read_vulnerability';
export const seesVulnerabilities = onProject({ level: vulnerabilityLevel, ability });
export const seesVulnerabilitiesBelow = onGroup({ level: vulnerabilityLevel, ability });
export const sendsReports = onProject({ level: vulnerabilityLevel });
