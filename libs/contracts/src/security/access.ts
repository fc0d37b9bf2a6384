import { Access, onGroup, onProject } from '../operation';

/** Vulnerabilities are for those who can do something about them. See docs/api/vulnerabilities.md#1. */
export const vulnerabilityLevel = Access.Developer;

export const seesVulnerabilities = onProject({ level: vulnerabilityLevel });
export const seesVulnerabilitiesBelow = onGroup({ level: vulnerabilityLevel });
