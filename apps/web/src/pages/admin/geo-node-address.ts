export const geoNodesPath = '/admin/geo/nodes';

/** The path of the page that changes a replication node. */
export const editGeoNodePath = (id: number): string => `${geoNodesPath}/${id}/edit`;
