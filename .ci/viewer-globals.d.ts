/** The global object of vis-network, which stands in the page before the viewer. */
declare const vis: any;
