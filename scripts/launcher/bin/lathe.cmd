@echo off
"%~dp0..\node\node.exe" "%~dp0..\app.asar.unpacked\dist\main\cli.mjs" %*
