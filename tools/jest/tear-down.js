module.exports = async () => require('./own-folder.js').remove();
