module.exports = async () => require('./own-folder').remove();
