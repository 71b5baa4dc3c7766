; Installs the till for Windows, for all users of a machine: makensis -DVERSION=0.1.0 -DFOUR=0.1.0.0 -DSOURCE=folder
; -DICON=file.ico -DOUT=file.exe -DCOMPRESS=lzma [-DSIGNER=command] installer.nsi (packaging/windows/build.sh).
; The command signs a file in its place: first the uninstaller, which then goes into the installer, then that.
;
; Silent: /S. Another folder: /D=C:\path, the last word and without quotes. It ends with 0: done; 1: cancelled by a person;
; 2: it could not, and nothing changed; 3: a till of this machine is open, and did not come to its end; 4: a newer version
; is installed (/OLDER does it all the same). docs/windows.md says the rest.

Target amd64-unicode ; the usual one is a 32-bit program
Unicode true
ManifestSupportedOS Win10
ManifestDPIAware true
ManifestLongPathAware true
SetCompressor /SOLID ${COMPRESS}
SetDateSave off
RequestExecutionLevel admin
CRCCheck force
!ifdef SIGNER
  !uninstfinalize '${SIGNER} "%1"' = 0
  !finalize '${SIGNER} "%1"' = 0
!endif
!include MUI2.nsh
!include x64.nsh
!include FileFunc.nsh
!include LogicLib.nsh
!include WinVer.nsh
!include WordFunc.nsh

!define ARP "Software\Microsoft\Windows\CurrentVersion\Uninstall\pos-app"
!define APP_PATH "Software\Microsoft\Windows\CurrentVersion\App Paths\pos-app.exe"
!define NO_DUMPS "Software\Microsoft\Windows\Windows Error Reporting\ExcludedApplications"
!define FLAG "$APPDATA\pos-app\pos-app.updating" ; of all users: each section says so first
!define FAILED 2
!define OPEN 3
!define NEWER 4

Name "Wallet till"
OutFile "${OUT}"
InstallDir "$PROGRAMFILES64\pos-app"
BrandingText " "
VIProductVersion "${FOUR}"
VIAddVersionKey ProductName "pos-app"
VIAddVersionKey ProductVersion "${VERSION}"
VIAddVersionKey FileVersion "${VERSION}"
VIAddVersionKey FileDescription "Installs the wallet till"
VIAddVersionKey CompanyName "pos-app"
VIAddVersionKey LegalCopyright ""
!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"

Var Flag ; held open by the one installer that is at work; "" where this one is not

!macro LowerFlag
  ${If} $Flag != ""
    FileClose $Flag
    Delete "${FLAG}"
    StrCpy $Flag ""
  ${EndIf}
!macroend
!define LowerFlag "!insertmacro LowerFlag"

; What administrators change and everybody reads, whatever the folder it lies in passes on: below C:\ and on other disks
; that is every account's to change.
!macro AdministratorsOwn FOLDER
  nsExec::Exec '"$SYSDIR\icacls.exe" "${FOLDER}" /inheritance:r /grant:r *S-1-5-18:(OI)(CI)F *S-1-5-32-544:(OI)(CI)F *S-1-5-32-545:(OI)(CI)RX'
  Pop $0
!macroend
!define AdministratorsOwn "!insertmacro AdministratorsOwn"

; One that was there already may be anybody's: it loses its owner and what that one allowed. What lies in it keeps both.
!macro TakeFolder FOLDER
  nsExec::Exec '"$SYSDIR\icacls.exe" "${FOLDER}" /setowner *S-1-5-32-544'
  Pop $0
  nsExec::Exec '"$SYSDIR\icacls.exe" "${FOLDER}" /reset'
  Pop $0
!macroend
!define TakeFolder "!insertmacro TakeFolder"

; To whoever looks on the reason, to who does not the number alone.
!macro Refuse CODE WORDS
  IfSilent +2
  MessageBox MB_OK|MB_ICONEXCLAMATION "${WORDS}"
  SetErrorLevel ${CODE}
  Abort
!macroend
!define Refuse "!insertmacro Refuse"

; What is done to a folder would be done to the one that it leads to.
!macro RefuseLink FOLDER
  System::Call 'kernel32::GetFileAttributesW(w "${FOLDER}") i .r0'
  IntOp $1 $0 & 0x400
  ${If} $0 <> -1
  ${AndIf} $1 <> 0
    ${Refuse} ${FAILED} "${FOLDER} is a link to another folder: take it away."
  ${EndIf}
!macroend
!define RefuseLink "!insertmacro RefuseLink"

; The numbers that a version is compared by: 1.2.3rc4 (1.2.3.3.4) is newer than 1.2.3b1 and older than 1.2.3 (1.2.3.4).
!macro Numbers CALLED TO
  ${WordReplace} "${CALLED}" "a" ".1." "+" ${TO}
  ${WordReplace} "${TO}" "b" ".2." "+" ${TO}
  ${WordReplace} "${TO}" "rc" ".3." "+" ${TO}
  ${If} "${TO}" == "${CALLED}"
    StrCpy ${TO} "${CALLED}.4"
  ${EndIf}
!macroend
!define Numbers "!insertmacro Numbers"

!macro Functions UN
; $R1 is 1 while a program of $INSTDIR runs: it holds its file, whoever's session it is in.
Function ${UN}IsOpen
  StrCpy $R1 0
  ${If} ${FileExists} "$INSTDIR\pos-app.exe"
    ClearErrors
    FileOpen $0 "$INSTDIR\pos-app.exe" a
    ${If} ${Errors}
      StrCpy $R1 1
    ${Else}
      FileClose $0
    ${EndIf}
  ${EndIf}
  ${If} ${FileExists} "$INSTDIR\pos-app.com"
    ClearErrors
    FileOpen $0 "$INSTDIR\pos-app.com" a
    ${If} ${Errors}
      StrCpy $R1 1
    ${Else}
      FileClose $0
    ${EndIf}
  ${EndIf}
FunctionEnd

; The till of this account is asked to take no new payment, to bring those under way to their end and to close. Of other
; accounts' tills Windows tells only that they are open. None is ever ended. Before anybody is asked a file is laid that
; keeps tills from starting, as long as the process that it names lives: whatever starts the till again would be in the way.
; Who calls takes the file away when all is done; where the till stays open it is gone already.
Function ${UN}BeClosed
  System::Call 'kernel32::GetCurrentProcessId() i .r1'
  ClearErrors
  FileOpen $Flag "${FLAG}" w
  ${If} ${Errors}
    StrCpy $Flag ""
    ${Refuse} ${FAILED} "Another installer of the till is at work, or ${FLAG} cannot be written."
  ${EndIf}
  FileWrite $Flag "$\n$1$\n" ; its first line is for the name of the machine's start, which Windows has none of
  Call ${UN}IsOpen
  ReadRegStr $0 HKLM "${ARP}" "InstallLocation"
  ${If} $R1 = 1
  ${AndIf} $0 == $INSTDIR ; only what administrators laid is run with their rights
    ReadEnvStr $R4 "POS_APP_DRAIN_S"
    ${If} $R4 == ""
      StrCpy $R4 60
    ${EndIf}
    nsExec::Exec '"$INSTDIR\pos-app.com" drain --end --wait $R4'
    Pop $0
    ${If} $0 = 0
      ; It has said that it is gone: its process has to follow.
      StrCpy $R2 0
      ${Do}
        Call ${UN}IsOpen
        ${IfThen} $R1 = 0 ${|} ${ExitDo} ${|}
        Sleep 250
        IntOp $R2 $R2 + 1
      ${LoopUntil} $R2 = 40
    ${EndIf}
  ${EndIf}
  ${If} $R1 = 1
    ${LowerFlag}
    ${Refuse} ${OPEN} "The till is open. Close it first (a payment may be under way), then start this again."
  ${EndIf}
FunctionEnd

; What an installer laid into the folder that is named in $R3, and the folder where nothing else is in it.
Function ${UN}TakeAway
  RMDir /r "$R3\_internal"
  Delete "$R3\pos-app.exe"
  Delete "$R3\pos-app.com"
  Delete "$R3\CONTENTS.sha256"
  Delete "$R3\CONTENTS.sha256.sig"
  Delete "$R3\LICENCES.txt"
  Delete "$R3\THIRD-PARTY.txt"
  Delete "$R3\uninstall.exe"
  RMDir "$R3"
FunctionEnd
!macroend
!insertmacro Functions ""
!insertmacro Functions "un."

Function .onInit
  ${IfNot} ${RunningX64}
  ${OrIfNot} ${AtLeastWin10}
    ${Refuse} ${FAILED} "The till needs Windows 10 or newer, with 64 bits."
  ${EndIf}
  SetRegView 64
  ; An update goes where the last one went.
  ReadRegStr $0 HKLM "${ARP}" "InstallLocation"
  ${If} $0 != ""
  ${AndIf} $INSTDIR == "$PROGRAMFILES64\pos-app"
    StrCpy $INSTDIR $0
  ${EndIf}
  ReadRegStr $0 HKLM "${ARP}" "DisplayVersion"
  ${If} $0 != ""
    ${Numbers} "$0" $3
    ${Numbers} "${VERSION}" $4
    ${VersionCompare} "$3" "$4" $1
    ${If} $1 = 1
      ${GetParameters} $R0
      ClearErrors
      ${GetOptions} $R0 "/OLDER" $2
      ${If} ${Errors}
        ${Refuse} ${NEWER} "Version $0 is installed, and this is ${VERSION}: what the newer one wrote this one may not be able to read."
      ${EndIf}
    ${EndIf}
  ${EndIf}
FunctionEnd

Section "pos-app"
  SetShellVarContext all
  SetRegView 64
  ; What lies there becomes the old version and is taken away at the end: it must be one of ours.
  ${If} ${FileExists} "$INSTDIR\*.*"
  ${AndIfNot} ${FileExists} "$INSTDIR\CONTENTS.sha256"
    ${DirState} "$INSTDIR" $0
    ${If} $0 = 1
      ${Refuse} ${FAILED} "There is something else in $INSTDIR: choose an empty folder, or one that is not there."
    ${EndIf}
  ${EndIf}
  ; The one in the other folder would stay behind, be started, and be seen by no update.
  ReadRegStr $R4 HKLM "${ARP}" "InstallLocation"
  ${If} $R4 != ""
  ${AndIf} $R4 != $INSTDIR
  ${AndIf} ${FileExists} "$R4\pos-app.exe"
    ${Refuse} ${FAILED} "The till is installed in $R4: install it there, or take it away from there first."
  ${EndIf}
  ${RefuseLink} "$APPDATA\pos-app"
  ${RefuseLink} "$INSTDIR.new"
  ; Everybody may make folders in ProgramData: the site's settings and their locks are for administrators alone.
  CreateDirectory "$APPDATA\pos-app"
  ${If} $R4 == ""
    ${TakeFolder} "$APPDATA\pos-app"
  ${EndIf}
  ${AdministratorsOwn} "$APPDATA\pos-app"
  Call BeClosed

  ; Only a whole new folder gets the name; a copy that fails leaves the old till as it was.
  StrCpy $R3 "$INSTDIR.new"
  Call TakeAway
  CreateDirectory "$INSTDIR.new"
  ${TakeFolder} "$INSTDIR.new"
  ${AdministratorsOwn} "$INSTDIR.new"
  ${DirState} "$INSTDIR.new" $0
  ${If} $0 = 1
    ${LowerFlag}
    ${Refuse} ${FAILED} "There is something else in $INSTDIR.new: take it away."
  ${EndIf}
  SetOutPath "$INSTDIR.new"
  ClearErrors
  File /r "${SOURCE}/*"
  WriteUninstaller "$INSTDIR.new\uninstall.exe"
  SetOutPath "$TEMP"
  ${If} ${Errors}
    StrCpy $R3 "$INSTDIR.new"
    Call TakeAway
    ${LowerFlag}
    ${Refuse} ${FAILED} "The files could not be written to $INSTDIR."
  ${EndIf}

  ; A name may outlive a power cut where the files behind it do not: first they last, then the name.
  ${GetRoot} "$INSTDIR" $0
  System::Call 'kernel32::CreateFileW(w "\\.\$0", i 0x40000000, i 3, p 0, i 3, i 0, p 0) p .r1'
  ${If} $1 <> -1
    System::Call 'kernel32::FlushFileBuffers(p r1)'
    System::Call 'kernel32::CloseHandle(p r1)'
  ${EndIf}

  ; A folder in use keeps its name.
  StrCpy $R3 "$INSTDIR.old"
  Call TakeAway
  ; What somebody else laid into the folder stayed there last time: the version before takes the next name that is free.
  StrCpy $R2 0
  ${DoWhile} ${FileExists} "$R3"
    IntOp $R2 $R2 + 1
    StrCpy $R3 "$INSTDIR.old.$R2"
  ${Loop}
  StrCpy $R5 $R3
  ${If} ${FileExists} "$INSTDIR\*.*"
    ClearErrors
    Rename "$INSTDIR" "$R5"
    ${If} ${Errors}
      StrCpy $R3 "$INSTDIR.new"
      Call TakeAway
      ${LowerFlag}
      ${Refuse} ${OPEN} "The till's folder is in use. Close the till, then start this again."
    ${EndIf}
  ${EndIf}
  ClearErrors
  Rename "$INSTDIR.new" "$INSTDIR"
  ${If} ${Errors}
    Rename "$R5" "$INSTDIR"
    StrCpy $R3 "$INSTDIR.new"
    Call TakeAway
    ${LowerFlag}
    ${Refuse} ${FAILED} "The till's folder could not be put in place; the one before is as it was."
  ${EndIf}
  ${LowerFlag}
  StrCpy $R3 $R5
  Call TakeAway

  CreateDirectory "$SMPROGRAMS\Wallet till"
  CreateShortCut "$SMPROGRAMS\Wallet till\Wallet till.lnk" "$INSTDIR\pos-app.exe"
  CreateShortCut "$SMPROGRAMS\Wallet till\Try it (no money moves).lnk" "$INSTDIR\pos-app.exe" "--sandbox"
  WriteRegStr HKLM "${APP_PATH}" "" "$INSTDIR\pos-app.exe"
  WriteRegStr HKLM "${ARP}" "DisplayName" "Wallet till"
  WriteRegStr HKLM "${ARP}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKLM "${ARP}" "DisplayIcon" "$INSTDIR\pos-app.exe"
  WriteRegStr HKLM "${ARP}" "Publisher" "pos-app"
  WriteRegStr HKLM "${ARP}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKLM "${ARP}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKLM "${ARP}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKLM "${ARP}" "NoModify" 1
  WriteRegDWORD HKLM "${ARP}" "NoRepair" 1
  ${GetSize} "$INSTDIR" "/S=0K" $0 $1 $2
  WriteRegDWORD HKLM "${ARP}" "EstimatedSize" "$0"
  ; A report of a crash would carry the memory, and with it secrets, to others.
  WriteRegDWORD HKLM "${NO_DUMPS}" "pos-app.exe" 1
  WriteRegDWORD HKLM "${NO_DUMPS}" "pos-app.com" 1
SectionEnd

; What the disk did not take ends the section in the middle of the copy: its half would leave the till no room to sell.
Function .onInstFailed
  ${If} $Flag != ""
    SetShellVarContext all
    SetOutPath "$TEMP"
    StrCpy $R3 "$INSTDIR.new"
    Call TakeAway
    ${LowerFlag}
  ${EndIf}
FunctionEnd

Section "Uninstall"
  SetShellVarContext all
  SetRegView 64
  CreateDirectory "$APPDATA\pos-app" ; for the flag
  ${AdministratorsOwn} "$APPDATA\pos-app"
  Call un.BeClosed
  ; Journals, settings and secrets lie elsewhere, and stay.
  StrCpy $R3 $INSTDIR
  Call un.TakeAway
  RMDir /r "$SMPROGRAMS\Wallet till"
  DeleteRegKey HKLM "${ARP}"
  DeleteRegKey HKLM "${APP_PATH}"
  DeleteRegValue HKLM "${NO_DUMPS}" "pos-app.exe"
  DeleteRegValue HKLM "${NO_DUMPS}" "pos-app.com"
  ${LowerFlag}
SectionEnd
